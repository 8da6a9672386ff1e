// Yardsticks from gnark-crypto: field multiplication, multi-scalar multiplication and FFT on BLS12-381, one thread.
// One JSON line a measurement. Run by bench/compare.py.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"strconv"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr/fft"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func report(name string, seconds float64, n int) {
	fmt.Printf("{\"name\": %q, \"seconds\": %.6f, \"n\": %d, \"threads\": 1}\n", name, seconds, n)
}

const steps, chains = 250_000, 8

// medianNs is the median time of one of count operations that work does, over seven runs.
func medianNs(count int, work func()) float64 {
	var times []float64
	for range 7 {
		start := time.Now()
		work()
		times = append(times, float64(time.Since(start).Nanoseconds())/float64(count))
	}
	sort.Float64s(times)
	return times[3]
}

func reportNs(name string, ns float64) {
	fmt.Printf("{\"name\": %q, \"ns\": %.3f, \"n\": 1, \"threads\": 1}\n", name, ns)
}

func field() {
	var x, y fp.Element
	x.MustSetRandom()
	y.MustSetRandom()
	reportNs("fp_mul_latency", medianNs(steps, func() {
		for range steps {
			x.Mul(&x, &y)
		}
	}))
	var xs [chains]fp.Element
	for i := range xs {
		xs[i].MustSetRandom()
	}
	reportNs("fp_mul_throughput", medianNs(steps*chains, func() {
		for range steps {
			for i := range xs {
				xs[i].Mul(&xs[i], &y)
			}
		}
	}))
	var u, v fr.Element
	u.MustSetRandom()
	v.MustSetRandom()
	reportNs("fr_mul_latency", medianNs(steps, func() {
		for range steps {
			u.Mul(&u, &v)
		}
	}))
	var us [chains]fr.Element
	for i := range us {
		us[i].MustSetRandom()
	}
	reportNs("fr_mul_throughput", medianNs(steps*chains, func() {
		for range steps {
			for i := range us {
				us[i].Mul(&us[i], &v)
			}
		}
	}))
}

func scalars(n int) []fr.Element {
	out := make([]fr.Element, n)
	for i := range out {
		out[i].MustSetRandom()
	}
	return out
}

func msmG1(n int) {
	_, _, g, _ := bls.Generators()
	points := bls.BatchScalarMultiplicationG1(&g, scalars(n))
	exponents := scalars(n)
	var result bls.G1Jac
	start := time.Now()
	_, err := result.MultiExp(points, exponents, ecc.MultiExpConfig{NbTasks: 1})
	must(err)
	report("msm_g1", time.Since(start).Seconds(), n)
}

func msmG2(n int) {
	_, _, _, g := bls.Generators()
	points := bls.BatchScalarMultiplicationG2(&g, scalars(n))
	exponents := scalars(n)
	var result bls.G2Jac
	start := time.Now()
	_, err := result.MultiExp(points, exponents, ecc.MultiExpConfig{NbTasks: 1})
	must(err)
	report("msm_g2", time.Since(start).Seconds(), n)
}

// ntt times one forward transform, the twiddles made before.
func ntt(n int) {
	domain := fft.NewDomain(uint64(n))
	values := scalars(n)
	start := time.Now()
	domain.FFT(values, fft.DIF, fft.WithNbTasks(1))
	report("ntt", time.Since(start).Seconds(), n)
}

func main() {
	runtime.GOMAXPROCS(runtime.NumCPU())
	if len(os.Args) == 2 && os.Args[1] == "field" {
		field()
		return
	}
	kernels := map[string]func(int){"msm_g1": msmG1, "msm_g2": msmG2, "ntt": ntt}
	if len(os.Args) != 3 || kernels[os.Args[1]] == nil {
		must(fmt.Errorf("usage: yardstick field | (msm_g1 | msm_g2 | ntt) LOG2N"))
	}
	log2, err := strconv.Atoi(os.Args[2])
	must(err)
	runtime.GC()
	kernels[os.Args[1]](1 << log2)
}
