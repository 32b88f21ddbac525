// The licence texts of the npm packages whose files are in the bundle.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;
const LICENCE = /^(licen[cs]e|copying)(\.(md|txt))?$/i;

function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => LICENCE.test(each));
  if (!file) throw new Error(`${name} carries no licence text`);
  const text = readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}

/** A notice for each package that one of the bundle's inputs belongs to, in the order of their names. */
export function notices(inputs) {
  const folders = new Set(inputs.map((input) => PACKAGE.exec(input)?.[0]).filter(Boolean));
  const parts = [...folders].sort().map(notice);
  return ['This extension contains the following npm packages.\n', ...parts].join(`\n${'-'.repeat(79)}\n\n`);
}
