// Reads what record.py wrote: the messages between editor and server.
import { existsSync, readFileSync } from 'node:fs';
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

/** All messages so far, in both directions. */
export function recorded(folder) {
  return { sent: frames(join(folder, 'to-server')), received: frames(join(folder, 'to-editor')) };
}

/** The server's answer to the last request of this method with these params, or undefined. */
export function lastAnswer(folder, method, matches = () => true) {
  const { sent, received } = recorded(folder);
  const request = sent.findLast((message) => message.method === method && matches(message.params));
  return request && received.findLast((message) => message.id === request.id && 'result' in message)?.result;
}
