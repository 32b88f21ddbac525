import { PRODUCT } from '../names';
import type { FolderStatus, IndexStatus } from '../protocol';
import { bytes, parseHealth, skipped } from './text';

const STYLE = `
  body { font-family: var(--vscode-font-family); max-width: 52rem; padding: 0.5rem 1.5rem 2rem; line-height: 1.5; }
  h1 { font-weight: 400; } h2 { font-weight: 400; margin-top: 2rem; }
  table { border-collapse: collapse; width: 100%; }
  th { text-align: left; font-weight: 400; width: 9rem; color: var(--vscode-descriptionForeground); }
  td, th { padding: 0.25rem 0; vertical-align: top; border-bottom: 1px solid var(--vscode-widget-border, transparent); }
  progress { width: 14rem; vertical-align: middle; margin-left: 0.75rem; }
  .error { color: var(--vscode-errorForeground); white-space: pre-wrap; }
  .actions a { display: inline-block; margin-right: 1.25rem; white-space: nowrap; }`;

const ACTIONS = {
  'sightline.search': 'Search code',
  'sightline.reindex': 'Reindex',
  'sightline.clear': 'Clear index',
  'sightline.restart': 'Restart server',
  'sightline.showLogs': 'Show logs',
  'sightline.collectDebugInfo': 'Collect debug info',
};

/** The commands that the page links to: no others can be run from it. */
export const PAGE_COMMANDS = Object.keys(ACTIONS);

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

function row(name: string, html: string): string {
  return `<tr><th scope="row">${name}</th><td>${html}</td></tr>`;
}

function files(folder: FolderStatus): string {
  const { filesIndexed, filesTotal } = folder;
  const counts = `${filesIndexed.toLocaleString('en')} of ${filesTotal.toLocaleString('en')}`;
  return folder.state === 'indexing'
    ? `${counts}<progress value="${filesIndexed}" max="${Math.max(filesTotal, 1)}"></progress>`
    : counts;
}

function chunksOf({ chunks, chunksEmbedded }: FolderStatus): string {
  const embedded = chunksEmbedded < chunks ? chunksEmbedded.toLocaleString('en') : 'all';
  return `${chunks.toLocaleString('en')}, ${embedded} of them with a vector`;
}

function section(folder: FolderStatus): string {
  const path = decodeURIComponent(folder.uri.replace(/^file:\/\//, ''));
  const rows = [
    row('State', escaped(folder.state)),
    row('Files indexed', files(folder)),
    row('Parse health', escaped(parseHealth(folder.parse))),
    row('Skipped', escaped(skipped(folder.skipped))),
    row('Chunks', chunksOf(folder)),
    row('Model', escaped(folder.model || 'none: keywords only')),
    row('Size on disk', bytes(folder.diskBytes)),
    row('Generation', String(folder.generation)),
    row('Index written by', folder.writer ? 'this window' : 'another window'),
    ...folder.notes.map((note) => row('Note', escaped(note))),
    row('Last error', folder.lastError ? `<span class="error">${escaped(folder.lastError)}</span>` : 'none'),
  ];
  return `<h2>${escaped(path)}</h2><table>${rows.join('')}</table>`;
}

/** The whole page; `notice` replaces the folders while there is no status. */
export function statusHtml(status: IndexStatus | undefined, notice: string): string {
  const actions = Object.entries(ACTIONS).map(
    ([command, label]) => `<a href="command:${command}">${label}</a>`,
  );
  const body = status?.folders.length ? status.folders.map(section).join('') : `<p>${escaped(notice)}</p>`;
  const version = status ? `<p>Server ${escaped(status.version)}</p>` : '';
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${PRODUCT} Status</title><style>${STYLE}</style></head>
<body><h1>${PRODUCT}</h1>${version}<p class="actions">${actions.join('')}</p>${body}</body></html>`;
}
