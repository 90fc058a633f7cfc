// Builds the pages into dist/, and only when an input has changed: Maven calls this in every build.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const root = dirname(fileURLToPath(import.meta.url));
const BUDGET = 150 * 1024;
const INPUTS = ["package.json", "package-lock.json", "tsconfig.json", "vite.config.ts", "index.html", "build.mjs", "public", "src"];
const lockStamp = join(root, "node_modules", ".lock-digest");
const inputStamp = join(root, "dist", ".input-digest");

function files(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).sort().flatMap((name) => files(join(path, name)));
}

function digest(paths) {
  const hash = createHash("sha256");
  for (const path of paths.flatMap((name) => files(join(root, name)))) {
    hash.update(relative(root, path)).update("\0").update(readFileSync(path)).update("\0");
  }
  return hash.digest("hex");
}

const recorded = (stamp) => (existsSync(stamp) ? readFileSync(stamp, "utf8") : "");
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });

const locked = digest(["package.json", "package-lock.json"]);
if (recorded(lockStamp) !== locked) {
  run("npm", "ci", "--prefer-offline", "--ignore-scripts");
  writeFileSync(lockStamp, locked);
}

const inputs = digest(INPUTS);
if (recorded(inputStamp) === inputs) {
  console.log("pages: unchanged");
} else {
  run("node_modules/.bin/tsc", "--noEmit");
  run("node_modules/.bin/vite", "build", "--logLevel", "warn");
  const sizes = files(join(root, "dist")).map((path) => ({ path, bytes: gzipSync(readFileSync(path), { level: 9 }).length }));
  const total = sizes.reduce((sum, file) => sum + file.bytes, 0);
  for (const { path, bytes } of sizes) {
    console.log(`pages: ${relative(join(root, "dist"), path)} ${(bytes / 1024).toFixed(1)} KB compressed`);
  }
  console.log(`pages: first load ${(total / 1024).toFixed(1)} KB of ${BUDGET / 1024} KB`);
  if (total > BUDGET) {
    console.error("pages: the first load is larger than its budget");
    process.exit(1);
  }
  writeFileSync(inputStamp, inputs);
}
