"""Writes the states of Siconos that `tests/stepping/data` keeps of nonlinear mechanisms.

Needs Debian's python3-siconos (4.4) and a C compiler. The crate needs neither.

    cd $(mktemp -d) && /usr/bin/python3 ROOT/benches/siconos_states.py ROOT/tests/stepping/data

A double pendulum that strikes a wall (mass matrix and forces that turn), and a crank with a rod in a joint with clearance: a pin in a larger hole.
Newton's iterations are forced to go on: by itself the loop ends when the residual of the equations of motion is small, whatever the Jacobian of the
contact did since.
"""

import ctypes
import subprocess
import sys
from math import cos, pi, sin

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn

PENDULUM = r"""
#include <math.h>
/* double pendulum with point masses m1=m2=l1=l2=1, bob strikes x=d=0.5; q = angles from vertical */
static const double g=9.81,d=0.5;
void mass(unsigned n,const double*q,double*M,unsigned nz,double*z){double c=cos(q[0]-q[1]);M[0]=2;M[1]=c;M[2]=c;M[3]=1;}
/* FGyr on the left-hand side */
void fgyr(unsigned n,const double*q,const double*v,double*F,unsigned nz,double*z){double s=sin(q[0]-q[1]);F[0]=s*v[1]*v[1];F[1]=-s*v[0]*v[0];}
void fgyrq(unsigned n,const double*q,const double*v,double*J,unsigned nz,double*z){double c=cos(q[0]-q[1]);
 J[0]=c*v[1]*v[1];J[1]=-c*v[0]*v[0];J[2]=-c*v[1]*v[1];J[3]=c*v[0]*v[0];}
void fgyrv(unsigned n,const double*q,const double*v,double*J,unsigned nz,double*z){double s=sin(q[0]-q[1]);J[0]=0;J[1]=-2*s*v[0];J[2]=2*s*v[1];J[3]=0;}
void fint(double t,unsigned n,const double*q,const double*v,double*F,unsigned nz,double*z){F[0]=2*g*sin(q[0]);F[1]=g*sin(q[1]);}
void fintq(double t,unsigned n,const double*q,const double*v,double*J,unsigned nz,double*z){J[0]=2*g*cos(q[0]);J[1]=0;J[2]=0;J[3]=g*cos(q[1]);}
void fintv(double t,unsigned n,const double*q,const double*v,double*J,unsigned nz,double*z){J[0]=J[1]=J[2]=J[3]=0;}
/* gap d - x, slip: velocity along the wall's tangent; normal (-1,0), tangent: normal turned by -90 degrees: (0,1) */
void hh(unsigned n,const double*q,unsigned m,double*y,unsigned nz,double*z){y[0]=d-sin(q[0])-sin(q[1]);y[1]=0;}
void G(unsigned n,const double*q,unsigned m,double*G,unsigned nz,double*z){G[0]=-cos(q[0]);G[2]=-cos(q[1]);G[1]=sin(q[0]);G[3]=sin(q[1]);}
"""

JOINT = r"""
#include <math.h>
static const double a=0.5,l=0.5,r=0.05,R=0.06,m1=1,m2=2,g=9.81;
void mass(unsigned n,const double*q,double*M,unsigned nz,double*z){for(int i=0;i<16;i++)M[i]=0;M[0]=m1*a*a/12+m1*a*a/4;M[5]=m2;M[10]=m2;M[15]=m2*l*l/3;}
void fint(double t,unsigned n,const double*q,const double*v,double*F,unsigned nz,double*z){F[0]=m1*g*a/2*sin(q[0]);F[1]=0;F[2]=m2*g;F[3]=0;}
void fintq(double t,unsigned n,const double*q,const double*v,double*J,unsigned nz,double*z){for(int i=0;i<16;i++)J[i]=0;J[0]=m1*g*a/2*cos(q[0]);}
void fintv(double t,unsigned n,const double*q,const double*v,double*J,unsigned nz,double*z){for(int i=0;i<16;i++)J[i]=0;}
static void del(const double*q,double*d){d[0]=q[1]-l*sin(q[3])-a*sin(q[0]);d[1]=q[2]+l*cos(q[3])+a*cos(q[0]);d[2]=sqrt(d[0]*d[0]+d[1]*d[1]);}
void hh(unsigned n,const double*q,unsigned m,double*y,unsigned nz,double*z){double d[3];del(q,d);y[0]=R-r-d[2];y[1]=0;}
void G(unsigned n,const double*q,unsigned m,double*G,unsigned nz,double*z){double d[3];del(q,d);double ex=d[0]/d[2],ey=d[1]/d[2];
 double dx[4]={-a*cos(q[0]),1,0,-l*cos(q[3])},dy[4]={-a*sin(q[0]),0,1,-l*sin(q[3])};
 for(int j=0;j<4;j++){G[2*j]=-(ex*dx[j]+ey*dy[j]);G[2*j+1]=-ey*dx[j]+ex*dy[j];}
 G[1]+=r;G[7]-=R;}
"""


def plugin(name, source):
    with open(name + ".c", "w") as file:
        file.write(source)
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", name + ".c", "-o", name + ".so", "-lm"], check=True)
    ctypes.CDLL("./" + name + ".so")


def states(name, start, law, h, steps, iterations, gyroscopic):
    """Rows t, q, v; `law` is restitution and friction."""
    library = "./" + name + ".so"
    ds = sk.LagrangianDS(np.array(start), np.zeros(len(start)))
    ds.setComputeMassFunction(library, "mass")
    ds.setComputeFIntFunction(library, "fint")
    ds.setComputeJacobianFIntqFunction(library, "fintq")
    ds.setComputeJacobianFIntqDotFunction(library, "fintv")
    if gyroscopic:
        ds.setComputeFGyrFunction(library, "fgyr")
        ds.setComputeJacobianFGyrqFunction(library, "fgyrq")
        ds.setComputeJacobianFGyrqDotFunction(library, "fgyrv")
    relation = sk.LagrangianScleronomousR("./" + name + ":hh", "./" + name + ":G")
    system = sk.NonSmoothDynamicalSystem(0.0, h * steps)
    system.insertDynamicalSystem(ds)
    system.link(sk.Interaction(sk.NewtonImpactFrictionNSL(law[0], 0.0, law[1], 2), relation), ds)
    solver = sk.FrictionContact(2, sn.SICONOS_FRICTION_2D_ENUM)
    stepping = sk.TimeStepping(system, sk.TimeDiscretisation(0.0, h), sk.MoreauJeanOSI(0.5), solver)
    stepping.setNewtonTolerance(-1.0)
    stepping.setNewtonMaxIteration(iterations)
    rows = [[0.0, *start, *np.zeros(len(start))]]
    while stepping.hasNextEvent():
        stepping.computeOneStep()
        rows.append([stepping.nextTime(), *ds.q(), *ds.velocity()])
        stepping.nextStep()
    return rows


def write(path, title, columns, rows, every):
    with open(path, "w") as file:
        file.write(f"# {title}\n# {columns}\n")
        for row in rows[::every]:
            file.write(",".join("%.17e" % x for x in row) + "\n")


def main():
    to = sys.argv[1]
    plugin("pendulum", PENDULUM)
    rows = states("pendulum", [-pi / 4, -pi / 3], (1.0, 0.2), 1e-3, 3000, 12, True)
    title = "Siconos 4.4.0, LagrangianDS with MoreauJeanOSI: h = 1e-3, theta = 1/2, restitution 1, friction 0.2, every 15th of 3000 states"
    write(to + "/double_pendulum_wall.csv", title, "t,theta_1,theta_2,dot(theta_1),dot(theta_2)", rows, 15)
    plugin("joint", JOINT)
    start = [0.5, 0.5 * sin(0.3) + 0.5 * sin(0.5), 0.002 - 0.5 * cos(0.3) - 0.5 * cos(0.5), 0.3]
    rows = states("joint", start, (1.0, 0.1), 1e-4, 2400, 30, False)
    title = "Siconos 4.4.0, LagrangianDS with MoreauJeanOSI: a pin in a larger hole, h = 1e-4, theta = 1/2, restitution 1, friction 0.1, every 20th of 2400 states"
    write(to + "/loose_joint.csv", title, "t,phi,x,y,theta,dot(phi),dot(x),dot(y),dot(theta)", rows, 20)


main()
