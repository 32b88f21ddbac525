// The licence texts of the npm packages whose files are in the bundle, and the notice of the model in the wheel.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;
const MODEL = new URL('../../../server/sightline/embedding/packaged/NOTICE', import.meta.url);
const LICENCE = /^(licen[cs]e|copying)(\.(md|txt))?$/i;

function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => LICENCE.test(each));
  if (!file) throw new Error(`${name} carries no licence text`);
  const text = readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}

/** The notices of the packages that the bundle's inputs belong to, in the order of their names, and the model's. */
export function notices(inputs) {
  const folders = new Set(inputs.map((input) => PACKAGE.exec(input)?.[0]).filter(Boolean));
  const parts = [...[...folders].sort().map(notice), readFileSync(MODEL, 'utf8')];
  const first = 'This extension contains the following npm packages, and a model for code search.\n';
  return [first, ...parts].join(`\n${'-'.repeat(79)}\n\n`);
}
