// Reads what record.py wrote: the messages between editor and server.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

function frames(file) {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const messages = [];
  for (let at = 0; ; ) {
    const head = bytes.indexOf('\r\n\r\n', at);
    if (head < 0) return messages;
    const length = Number(/Content-Length: (\d+)/i.exec(bytes.toString('latin1', at, head))?.[1]);
    const body = head + 4;
    // The last message may be incomplete.
    if (body + length > bytes.length) return messages;
    messages.push(JSON.parse(bytes.toString('utf8', body, body + length)));
    at = body + length;
  }
}

/** The folders of all runs of the server, oldest first. */
function runs(folder) {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return names.map((name) => join(folder, name));
}

function messages(run) {
  return { sent: frames(join(run, 'to-server')), received: frames(join(run, 'to-editor')) };
}

/** All messages so far, in both directions. */
export function recorded(folder) {
  const all = runs(folder).map(messages);
  return { sent: all.flatMap(({ sent }) => sent), received: all.flatMap(({ received }) => received) };
}

/** The server's answer to the last request of this method with these params, or undefined. */
export function lastAnswer(folder, method, matches = () => true) {
  const isRequest = (message) => message.method === method && matches(message.params);
  // Every run numbers its requests from the start.
  const last = runs(folder)
    .map(messages)
    .findLast(({ sent }) => sent.some(isRequest));
  const request = last?.sent.findLast(isRequest);
  return last?.received.findLast((message) => message.id === request.id && 'result' in message)?.result;
}

/** The process id of the server that was started last, or undefined before the first. */
export function serverPid(folder) {
  const pids = runs(folder).map((run) => join(run, 'pid'));
  const last = pids.findLast((path) => existsSync(path));
  return last && (Number(readFileSync(last, 'utf8')) || undefined);
}
