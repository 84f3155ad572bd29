"""Writes the files of this folder: the recorded problem FrictionContact3D_1c and GFC3D_OneContact, in the three storages of
FCLIB by FCLIB's own library (Debian's libfclib0), and one of them in other encodings by h5py.

    python3 make.py FOLDER_OF_FCP_1_FILES

Nothing here is shared with the reader that the files test.
"""
import ctypes as C
import gzip
import json
import os
import sys

import h5py
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
INT, DOUBLE = C.POINTER(C.c_int), C.POINTER(C.c_double)


class Info(C.Structure):
    _fields_ = [(name, C.c_char_p) for name in ("title", "description", "math_info")]


class MatrixInfo(C.Structure):
    _fields_ = [("comment", C.c_char_p), ("conditioning", C.c_double), ("determinant", C.c_double), ("rank", C.c_int)]


class Matrix(C.Structure):
    _fields_ = [("nzmax", C.c_int), ("m", C.c_int), ("n", C.c_int), ("p", INT), ("i", INT), ("x", DOUBLE), ("nz", C.c_int),
                ("info", C.POINTER(MatrixInfo))]


class Global(C.Structure):
    _fields_ = [(name, C.POINTER(Matrix)) for name in "MHG"] + [(name, DOUBLE) for name in ("mu", "f", "b", "w")] + [
        ("spacedim", C.c_int), ("info", C.POINTER(Info))]


class Local(C.Structure):
    _fields_ = [(name, C.POINTER(Matrix)) for name in "WVR"] + [(name, DOUBLE) for name in ("mu", "q", "s")] + [
        ("spacedim", C.c_int), ("info", C.POINTER(Info))]


KEPT = []


def array(values, kind, pointer):
    values = np.ascontiguousarray(values, dtype=kind)
    KEPT.append(values)
    return values.ctypes.data_as(pointer)


def matrix(a, storage):
    """Compressed lists have room to spare at their end, as the library allows."""
    rows, cols, vals = (np.array(a[key]) for key in ("rows", "cols", "vals"))
    m, n = a["nrows"], a["ncols"]
    if storage == "triplet":  # as CSparse and Siconos: i has the rows, p the columns
        p, i, x, nz = cols, rows, vals, len(vals)
    else:
        major, minor, lines, nz = (cols, rows, n, -1) if storage == "csc" else (rows, cols, m, -2)
        order = np.lexsort((minor, major))
        p = np.concatenate([[0], np.cumsum(np.bincount(major, minlength=lines))])
        i, x = np.append(minor[order], [0, 0]), np.append(vals[order], [7.0, 7.0])
    info = MatrixInfo(b"recorded", 1.0, 1.0, m)
    out = Matrix(len(x), m, n, array(p, np.int32, INT), array(i, np.int32, INT), array(x, float, DOUBLE), nz, C.pointer(info))
    KEPT.append((out, info))
    return C.pointer(out)


def write(problem, storage, path):
    library = C.CDLL("libfclib.so.0")
    info = C.pointer(Info(problem["name"].encode(), b"a recorded problem", b"unknown"))
    vector = lambda key: array(problem[key], float, DOUBLE)
    if problem["kind"] == "local":
        data = Local(matrix(problem["W"], storage), None, None, vector("mu"), vector("q"), None, problem["dim"], info)
        assert library.fclib_write_local(C.byref(data), path.encode()) == 1
    else:
        data = Global(matrix(problem["M"], storage), matrix(problem["H"], storage), None, vector("mu"), vector("q"), None,
                      vector("b"), problem["dim"], info)
        assert library.fclib_write_global(C.byref(data), path.encode()) == 1


def encoded(source, path, how):
    """The same datasets in another encoding."""
    with h5py.File(source) as a, h5py.File(path, "w", libver=("v110", "v110") if how == "modern" else None) as b:
        def put(name, item):
            if isinstance(item, h5py.Group):
                b.require_group(name)
                return
            data = item[()]
            if item.dtype.kind == "S":
                b.create_dataset(name, data=data)
            elif how == "big_endian":
                b.create_dataset(name, data=data, dtype=item.dtype.newbyteorder(">"))
            elif how == "wide":
                b.create_dataset(name, data=data.astype(np.int64) if item.dtype.kind == "i" else data)
            else:
                b.create_dataset(name, data=data, chunks=(min(len(data), 7),), compression="gzip", shuffle=True, fletcher32=True)
        a.visititems(put)


def main(folder):
    for name in ("FrictionContact3D_1c", "GFC3D_OneContact"):
        with open(os.path.join(folder, name + ".json")) as file:
            problem = json.load(file)
        made = []
        for storage in ("csc", "csr", "triplet"):
            path = os.path.join(HERE, f"{name}.{storage}.hdf5")
            write(problem, storage, path)
            made.append(path)
        for how in ("big_endian", "wide", "chunked", "modern") if name.startswith("GFC3D") else ():
            path = os.path.join(HERE, f"{name}.{how}.hdf5")
            encoded(made[0], path, how)
            made.append(path)
        for path in made:
            with open(path, "rb") as file, open(path + ".gz", "wb") as packed:
                packed.write(gzip.compress(file.read(), mtime=0))
            os.remove(path)


main(sys.argv[1])
