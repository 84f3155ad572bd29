// The same engine beside the page, for what takes longer: maps, motions, all that is said of a state.

let engine = null;

self.onmessage = ({ data }) => {
  const { id, module, file, question } = data;
  try {
    if (module) engine = new Engine(module, file);
    const answer = question ? engine.ask(question) : true;
    self.postMessage({ id, answer });
  } catch (error) {
    const fault = { code: error.code ?? "core", message: error.message, findings: error.findings ?? [] };
    self.postMessage({ id, fault });
  }
};
