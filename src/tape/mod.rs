//! A typed, serialisable instruction tape: what derivation leaves behind and every analysis evaluates.
