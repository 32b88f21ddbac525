import { type CancellationToken, CancellationTokenSource, Uri, window } from 'vscode';
import type { Position } from 'vscode-languageclient/node';
import { type Hit, Related } from './protocol';
import { HitPicker, hitItem } from './search/hitPicker';
import { actionItem } from './search/lines';
import type { Supervisor } from './server/supervisor';

/** A place in a document, as code actions and hover links carry it. */
export interface Place {
  uri: string;
  position: Position;
}

function cursor(): Place | undefined {
  const editor = window.activeTextEditor;
  return editor && { uri: editor.document.uri.toString(), position: editor.selection.active };
}

function fileName(place: Place): string {
  const { path } = Uri.parse(place.uri);
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Shows the code related to a place, or to the cursor. */
export async function findRelated(supervisor: Supervisor, place = cursor()): Promise<void> {
  if (!place) {
    void window.showInformationMessage('Put the cursor on some code first.');
    return;
  }
  const picker = new HitPicker((hit: Hit) =>
    findRelated(supervisor, { uri: hit.uri, position: hit.range.start }),
  );
  const { pick } = picker;
  pick.title = `Sightline: Related to ${fileName(place)}:${place.position.line + 1}`;
  pick.placeholder = 'Filter by name';
  pick.busy = true;
  pick.onDidAccept(() => picker.take(pick.activeItems[0]));
  const source = new CancellationTokenSource();
  pick.onDidHide(() => source.cancel());
  pick.show();
  pick.items = await relatedItems(supervisor, place, source.token);
  pick.busy = false;
}

async function relatedItems(supervisor: Supervisor, place: Place, token: CancellationToken) {
  const params = { textDocument: { uri: place.uri }, position: place.position };
  try {
    const { results } = await supervisor.request(Related, params, token);
    if (results.length > 0) return results.map((hit) => ({ ...hitItem(hit), alwaysShow: false }));
    return [
      actionItem('references', 'Nothing related found', 'Try it on the name of a function or a class.'),
    ];
  } catch (error) {
    return [
      actionItem('error', error instanceof Error ? error.message : String(error), 'The log may say more.'),
    ];
  }
}
