import { writeFileSync } from 'node:fs';
import * as esbuild from 'esbuild';
import { notices } from './scripts/notices.mjs';

const production = process.argv.includes('--production');
const options = {
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  minify: production,
  sourcemap: production ? false : 'linked',
  metafile: true,
};

if (process.argv.includes('--watch')) {
  await (await esbuild.context(options)).watch();
} else {
  const { metafile } = await esbuild.build(options);
  if (production) writeFileSync('ThirdPartyNotices.txt', notices(Object.keys(metafile.inputs)));
}
