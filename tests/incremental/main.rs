#[test]
fn dbg() {
    use mechan::incremental::*;
    for n in ["CubeH8", "LMGC_GlobalFrictionContactProblem00046"] {
        let p = read_file(std::path::Path::new(&format!("/work/shared/problems/{n}.json"))).unwrap();
        let s = solve(&p, &Request::default()).unwrap();
        println!("{:?} {:?}", s.outcome, s.residual);
        if let Form::Global(g) = p.form() {
            let nrm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
            let mut mv = vec![0.0; g.f.len()];
            g.M.mul_add(&s.v, &mut mv);
            let mut h = vec![0.0; g.f.len()];
            g.Ht.mul_add(&s.r, &mut h);
            let d: Vec<f64> = mv.iter().zip(&g.f).zip(&h).map(|((m, f), h)| m + f - h).collect();
            println!(
                "dyn {:e} f {:e} mv {:e} Hr {:e} u {:e} r {:e} v {:e} asym {:e} max {:e}",
                nrm(&d),
                nrm(&g.f),
                nrm(&mv),
                nrm(&h),
                nrm(&s.u),
                nrm(&s.r),
                nrm(&s.v),
                g.M.asymmetry(),
                g.M.max_abs()
            );
            let mut one = vec![1.0; g.f.len()];
            let mut b = vec![0.0; one.len()];
            g.M.mul_add(&one, &mut b);
            let c = Cholesky::new(&g.M).unwrap();
            let x = c.solve_refined(&g.M, &b);
            one.iter_mut().zip(&x).for_each(|(a, b)| *a -= b);
            println!("err {:e}", nrm(&one));
            println!("u {:?} r {:?}", s.u, s.r);
        }
    }
}
