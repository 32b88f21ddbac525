import { type CancellationToken, CancellationTokenSource, commands, Uri, window } from 'vscode';
import type { Position } from 'vscode-languageclient/node';
import { PRODUCT } from './names';
import { type Hit, Related } from './protocol';
import { HitPicker, hitItems } from './search/hitPicker';
import { actionItem, errorItems } from './search/lines';
import { landingOf } from './search/present';
import type { Supervisor } from './server/supervisor';

/** A place in a document, as code actions and hover links contain it. */
export interface Place {
  uri: string;
  position: Position;
}

export function cursor(): Place | undefined {
  const editor = window.activeTextEditor;
  return editor && { uri: editor.document.uri.toString(), position: editor.selection.active };
}

/** A place as a title names it: file and line. */
export function nameOf(place: Place): string {
  const { path } = Uri.parse(place.uri);
  return `${path.slice(path.lastIndexOf('/') + 1)}:${place.position.line + 1}`;
}

/** The place that a hit lands on. */
export function placeIn(hit: Hit): Place {
  return { uri: hit.uri, position: landingOf(hit).start };
}

/** Shows the code related to a place, or to the cursor. */
export async function findRelated(
  supervisor: Supervisor,
  place: Place | undefined,
  keep: (place: Place) => unknown,
): Promise<void> {
  if (!place) {
    void window.showInformationMessage('Put the cursor on some code first.');
    return;
  }
  const picker = new HitPicker({
    findRelated: (hit: Hit) => findRelated(supervisor, placeIn(hit), keep),
    keep: () => keep(place),
  });
  const { pick } = picker;
  pick.title = `${PRODUCT}: Related to ${nameOf(place)}`;
  pick.placeholder = 'Filter by name';
  pick.busy = true;
  pick.onDidAccept(() => picker.accept(pick.activeItems[0]));
  const source = new CancellationTokenSource();
  pick.onDidHide(() => source.cancel());
  picker.show();
  pick.items = await relatedItems(supervisor, place, source.token);
  pick.busy = false;
}

async function relatedItems(supervisor: Supervisor, place: Place, token: CancellationToken) {
  const params = { textDocument: { uri: place.uri }, position: place.position };
  try {
    const { results } = await supervisor.request(Related, params, token);
    if (results.length > 0) return hitItems(results).map((item) => ({ ...item, alwaysShow: false }));
    return [
      actionItem('references', 'Nothing related found', 'Try it on the name of a function or a class.'),
    ];
  } catch (error) {
    return errorItems(error, () => commands.executeCommand('sightline.repair'));
  }
}
