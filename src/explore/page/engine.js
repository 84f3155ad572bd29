// Asks the module: bytes in, bytes out, JSON in both. Nothing here knows any mechanics.

/** An answer that is none: what the core says of it. */
class Fault extends Error {
  /** @param {{code: string, message: string, findings?: object[]}} fault */
  constructor(fault) {
    super(fault.message);
    this.code = fault.code;
    this.findings = fault.findings ?? [];
  }
}

/** A mechanism in an instance of the module. */
class Engine {
  /** @param {WebAssembly.Module} module @param {string} file the model file */
  constructor(module, file) {
    this.module = module;
    this.file = file;
    this.open(file);
  }

  /** Opens a file in a new instance. @param {string} file */
  open(file) {
    this.core = new WebAssembly.Instance(this.module, {}).exports;
    this.read(this.call("open", file));
    this.file = file;
    this.text = null;
  }

  /** @param {object} question @returns {any} what the core answers; throws Fault */
  ask(question) {
    try {
      const answer = this.read(this.call("ask", JSON.stringify(question)));
      if (question.ask === "adopt") this.text = question.text;
      return answer;
    } catch (error) {
      if (error instanceof Fault) throw error;
      this.restart();
      throw new Fault({ code: "core", message: "the engine gave up on this question; it was started anew" });
    }
  }

  /** After a trap the memory of an instance is not trusted. */
  restart() {
    const text = this.text;
    this.open(this.file);
    if (text !== null) this.ask({ ask: "adopt", text });
  }

  call(name, text) {
    const bytes = new TextEncoder().encode(text);
    const start = this.core.reserve(bytes.length);
    new Uint8Array(this.core.memory.buffer, start, bytes.length).set(bytes);
    const length = this.core[name]();
    return new TextDecoder().decode(new Uint8Array(this.core.memory.buffer, this.core.answer(), length));
  }

  read(text) {
    const answer = JSON.parse(text || '{"fault":{"code":"core","message":"no mechanism is open"}}');
    if (answer.fault) throw new Fault(answer.fault);
    return answer.ok;
  }
}
