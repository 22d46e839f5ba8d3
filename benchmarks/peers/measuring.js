// What a load measures: how long moves take until both players of a table have been told, and what the server uses.

const { execFileSync } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { setTimeout: pass } = require("node:timers/promises");

const TICKS = Number(execFileSync("getconf", ["CLK_TCK"]));
const PAGE = Number(execFileSync("getconf", ["PAGESIZE"]));
const KINDS = 5;
const AT_ONCE = 20; // tables being opened at the same time

const latencies = []; // milliseconds, of the moves that both players have been told of

/** What the load was asked to do: port, pid, tables, seconds, warm_up, pause. */
const asked = JSON.parse(process.argv[2]);

/** The moves of one table, by their number. */
class Table {
  #running = new Map();

  sent(move) {
    this.#running.set(move, { start: performance.now(), told: 0 });
  }

  told(move) {
    const running = this.#running.get(move);
    running.told += 1;
    if (running.told < 2) return;
    this.#running.delete(move);
    latencies.push(performance.now() - running.start);
  }
}

/** Place any card: at once, or after a while as people do. */
function think(place) {
  const move = () => place(Math.floor(Math.random() * KINDS));
  if (asked.pause) setTimeout(move, 1000 * (asked.pause[0] + Math.random() * (asked.pause[1] - asked.pause[0])));
  else move();
}

/** Open all tables with `open`, some at a time; then let them begin, and print what was measured. */
async function measure(open) {
  const tables = [];
  while (tables.length < asked.tables) {
    const more = Math.min(AT_ONCE, asked.tables - tables.length);
    tables.push(...(await Promise.all(Array.from({ length: more }, () => open(new Table())))));
  }
  for (const begin of tables) begin();
  await pass(1000 * asked.warm_up);
  console.log(JSON.stringify(await measured()));
  process.exit();
}

async function measured() {
  latencies.length = 0;
  const start = performance.now();
  const server = serverCPU();
  const own = process.cpuUsage();
  await pass(1000 * asked.seconds);
  const { user, system } = process.cpuUsage(own);
  const seconds = (performance.now() - start) / 1000;
  const sorted = Float64Array.from(latencies).sort();
  if (sorted.length === 0) throw new Error("no move was told to both players; is anyone moving?");
  const quantile = (share) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  return {
    moves_per_second: sorted.length / seconds,
    p50_ms: quantile(0.5),
    p99_ms: quantile(0.99),
    server_cpu_us: (1e6 * (serverCPU() - server)) / sorted.length,
    load_cpu_us: (user + system) / sorted.length,
    server_mb: (readFileSync(`/proc/${asked.pid}/statm`, "utf8").split(" ")[1] * PAGE) / 2 ** 20,
  };
}

/** Seconds that the server has computed so far, its threads included. */
function serverCPU() {
  const stat = readFileSync(`/proc/${asked.pid}/stat`, "utf8");
  const [user, system] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 13).map(Number);
  return (user + system) / TICKS;
}

module.exports = { asked, measure, think };
