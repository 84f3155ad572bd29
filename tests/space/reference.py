"""Impacts of a contact in space to 25 digits: Routh's equations u' = B - mu A u/|u|, v' = C - mu B.u/|u| over the normal impulse,
in Cartesian components (the program integrates them in polar ones) by mpmath's Taylor integrator with 35 digits; the event
times by mpmath's secant method. Run as `python3 reference.py > impacts.csv`.

Slip that would end during the impact is stopped where it is below 1e-28 of the speeds, and stick or the one outgoing direction
continued in closed form, the direction by mpmath's root finder.
"""
from mpmath import mp, mpf, matrix, odefun, findroot, sqrt, hypot, cos, sin, pi, lu_solve, exp

mp.dps = 35


def rod(psi, theta):
    """A, B, C of the uniform rod, m = 1: 4 - 3 e e^T, e from the centre of mass to the tip."""
    e = [cos(psi) * cos(theta), sin(psi) * cos(theta), -sin(theta)]
    w = lambda i, j: (4 if i == j else 0) - 3 * e[i] * e[j]
    return [[w(0, 0), w(0, 1)], [w(1, 0), w(1, 1)]], [w(0, 2), w(1, 2)], w(2, 2)


def floats(contact):
    """The nearest doubles, which the test reads."""
    A, B, C = contact
    near = lambda x: mpf(float(x))
    return [[near(x) for x in row] for row in A], [near(x) for x in B], near(C)


def way(contact, mu, start):
    """(u1, u2, v, P, W) over sigma with dP = |u| d sigma, so that the end of slip is no singularity."""
    A, B, C = contact

    def rate(_, y):
        u1, u2, v, P, W = y
        s = sqrt(u1 * u1 + u2 * u2)
        d1, d2 = B[0] * s - mu * (A[0][0] * u1 + A[0][1] * u2), B[1] * s - mu * (A[1][0] * u1 + A[1][1] * u2)
        return [d1, d2, C * s - mu * (B[0] * u1 + B[1] * u2), s, s * v]

    return odefun(rate, 0, start)


def straight(contact, mu):
    """u', v' from rest."""
    A, B, C = contact
    held = lu_solve(matrix(A), -matrix(B))
    if hypot(held[0], held[1]) <= mu:
        return (mpf(0), mpf(0)), C + B[0] * held[0] + B[1] * held[1]
    turn = lambda a: [B[i] - mu * (A[i][0] * cos(a) + A[i][1] * sin(a)) for i in (0, 1)]
    across = lambda a: -sin(a) * turn(a)[0] + cos(a) * turn(a)[1]
    along = lambda a: cos(a) * turn(a)[0] + sin(a) * turn(a)[1]
    for k in range(720):
        x, y = pi * k / 360, pi * (k + 1) / 360
        if across(x) * across(y) <= 0:
            a = findroot(across, (x, y), solver="anderson", tol=1e-30)
            if along(a) > 0:
                return (along(a) * cos(a), along(a) * sin(a)), C - mu * (B[0] * cos(a) + B[1] * sin(a))
    raise ValueError("no way out")


def impact(contact, mu, u, v, law, e):
    """u+, v+, P."""
    speed = sqrt(u[0] ** 2 + u[1] ** 2 + v ** 2)
    small = mpf(10) ** -28 * speed
    y = [u[0], u[1], v, mpf(0), mpf(0)]
    P_c = W_c = None

    def missing(y):
        if law == "newton":
            return -e * v - y[2]
        if law == "poisson":
            return (1 + e) * P_c - y[3]
        return (1 - e * e) * W_c - y[4]

    if hypot(*u) > 0:
        flow = way(contact, mu, y)
        scale = 1 / (hypot(*contact[1]) + mu * (contact[0][0][0] + contact[0][1][1]))
        at, step, compressing = mpf(0), scale / 4, True
        while True:
            y = flow(at + step)
            f = (lambda s: flow(s)[2]) if compressing else (lambda s: -missing(flow(s)))
            if f(at + step) >= 0 and (not compressing or flow(at)[2] < 0):
                s = findroot(f, (at, at + step), solver="anderson", tol=1e-31)
                y = flow(s)
                if not compressing:
                    return y
                P_c, W_c, compressing, at = y[3], y[4], False, s
                if missing(y) <= 0:
                    return y
                continue
            at += step
            if hypot(y[0], y[1]) < small:
                break
    (d1, d2), rate = straight(contact, mu)
    after = lambda y, P: [y[0] + P * d1, y[1] + P * d2, y[2] + P * rate, y[3] + P, y[4] + P * y[2] + P * P * rate / 2]
    y = [mpf(0), mpf(0)] + list(y[2:])
    if P_c is None:
        y = after(y, -y[2] / rate)
        P_c, W_c = y[3], y[4]
    left = missing(y)
    if law == "newton":
        return after(y, left / rate)
    if law == "poisson":
        return after(y, left)
    return after(y, (-y[2] + sqrt(y[2] ** 2 + 2 * rate * left)) / rate)


GENERAL = [[[mpf("3.25"), mpf("-0.5")], [mpf("-0.5"), mpf("1.5")]], [mpf("1.125"), mpf("0.625")], mpf("1.75")]
CASES = [
    ("slips on", floats(rod(pi / 6, pi / 3)), "0.3", ("2", "1.5"), "-1"),
    ("sticks in restitution", floats(rod(pi / 6, pi / 3)), "0.5", ("0.5", "0.75"), "-1"),
    ("sticks in compression", floats(rod(pi / 6, pi / 3)), "1", ("0.25", "0.375"), "-1"),
    ("reverses", floats(rod(mpf(1), mpf("0.9"))), "0.375", ("0.125", "0.25"), "-1"),
    ("from rest", floats(rod(mpf(1), mpf("0.9"))), "0.25", ("0", "0"), "-1"),
    ("into the paradox and out", floats(rod(mpf(0), mpf("1.125"))), "1.5", ("1", "0.5"), "-0.25"),
    ("without collision", floats(rod(mpf(0), mpf("1.125"))), "1.5", ("1", "0.25"), "0"),
    ("general", GENERAL, "0.625", ("-1.5", "0.5"), "-2"),
    ("general, slow", GENERAL, "0.25", ("0.125", "-0.25"), "-2"),
]

if __name__ == "__main__":
    print("# made by reference.py with mpmath, 35 digits; velocities and impulse after the impact, e = 1/2")
    print("case,law,mu,A11,A12,A22,B1,B2,C,u1,u2,v,u1_after,u2_after,v_after,P")
    for name, contact, mu, u, v in CASES:
        for law in ("newton", "poisson", "energetic"):
            if v == "0" and law == "newton":
                continue
            A, B, C = contact
            y = impact(contact, mpf(mu), [mpf(x) for x in u], mpf(v), law, mpf("0.5"))
            given = [mu, A[0][0], A[0][1], A[1][1], B[0], B[1], C, u[0], u[1], v]
            print(",".join([name.replace(",", ""), law] + [mp.nstr(mpf(x), 17) for x in given] + [mp.nstr(x, 25) for x in y[:4]]), flush=True)
