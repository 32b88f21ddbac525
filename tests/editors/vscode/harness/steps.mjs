// Sequential tests: each starts where the previous one ended, so the first failure ends the file.
import { test } from 'node:test';

/** Returns a function that adds a step; a failed step saves a screenshot. */
export function steps(editor) {
  let failed = false;
  return (name, run) =>
    test(name, async (context) => {
      if (failed) {
        context.skip('an earlier step failed');
        return;
      }
      try {
        await run();
      } catch (error) {
        failed = true;
        await editor().picture(`failed-${name.replaceAll(' ', '-')}`);
        throw error;
      }
    });
}
