"use strict";

const { spawn } = require("node:child_process");
const { once } = require("node:events");
const readline = require("node:readline");
const { Worker } = require("node:worker_threads");

/** Milliseconds after which a program that should have ended is ended. */
const BOUND = 60_000;

/** A program that runs beside the test, in a process or a thread. What it prints is lines of JSON. */
class Program {
  /** Of a process. */
  pid;
  #stdin;
  #lines;
  #stderr = "";
  #ended;
  #stop;

  /**
   * @param {import("node:test").TestContext} t the program does not outlive it
   * @param {{ stdin, stdout, stderr, pid?: number }} running
   * @param {Promise<{ code: number | null, signal?: string }>} ended
   * @param {() => unknown} stop
   */
  constructor(t, { stdin, stdout, stderr, pid }, ended, stop) {
    this.pid = pid;
    this.#stdin = stdin;
    this.#ended = ended;
    this.#stop = stop;
    stderr.on("data", (chunk) => (this.#stderr += chunk));
    // A program that ends before it has read all it was sent says so by its exit code.
    stdin.on("error", () => {});
    this.#lines = readline.createInterface({ input: stdout })[Symbol.asyncIterator]();
    t.after(async () => {
      await stop();
      await ended;
    });
  }

  /** @returns {Promise<unknown>} the next line; rejects when the program ended before */
  async line() {
    const { value, done } = await this.#lines.next();
    if (done) {
      const { code, signal } = await this.#ended;
      throw new Error(`the program ended (${signal ?? code}) before its line\n${this.#stderr}`);
    }
    return JSON.parse(value);
  }

  /** Sends a line. */
  tell(message) {
    this.#stdin.write(`${JSON.stringify(message)}\n`);
  }

  /**
   * Waits for the end, which must not be a crash.
   * @returns {Promise<{ code: number, lines: unknown[], stderr: string }>} `lines` not taken yet
   */
  async end() {
    this.#stdin.end();
    const lines = await this.#rest();
    const { code, signal } = await this.#ended;
    if (signal) throw new Error(`the program was ended by ${signal}\n${this.#stderr}`);
    return { code, lines, stderr: this.#stderr };
  }

  /**
   * Kills a process, which must not have ended by itself.
   * @returns {Promise<unknown[]>} the lines that it had written and that were not taken yet
   */
  async kill() {
    this.#stop();
    const lines = await this.#rest();
    const { code, signal } = await this.#ended;
    if (signal !== "SIGKILL") throw new Error(`the program ended (${code})\n${this.#stderr}`);
    return lines;
  }

  async #rest() {
    const lines = [];
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) return lines;
      lines.push(JSON.parse(value));
    }
  }
}

/** Starts a command. */
function start(t, command, args, options) {
  const child = spawn(command, args, {
    stdio: ["pipe", "pipe", "pipe"],
    timeout: BOUND,
    ...options,
  });
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  return new Program(t, child, ended, () => child.kill("SIGKILL"));
}

/** Starts a script in a process of Node. */
function startNode(t, script, args = [], options) {
  return start(t, process.execPath, [script, ...args.map(String)], options);
}

/** Starts a script in a thread. */
function startWorker(t, script, args = []) {
  const worker = new Worker(script, { argv: args, stdin: true, stdout: true, stderr: true });
  const ended = once(worker, "exit").then(([code]) => ({ code }));
  return new Program(t, worker, ended, () => worker.terminate());
}

/**
 * Runs a script in a process of Node that must succeed.
 * @returns {Promise<unknown[]>} its lines
 */
function runNode(t, script, args, options) {
  return succeed(startNode(t, script, args, options));
}

/** @returns {Promise<unknown[]>} the lines of a program that must succeed */
async function succeed(program) {
  const { code, lines, stderr } = await program.end();
  if (code !== 0) throw new Error(`the program ended with code ${code}\n${stderr}`);
  return lines;
}

module.exports = { Program, start, startNode, startWorker, runNode, succeed };
