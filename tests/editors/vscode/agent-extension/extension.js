const { writeFileSync } = require('node:fs');
const { commands, lm } = require('vscode');

const write = (value) => writeFileSync(process.env.SIGHTLINE_AGENT_ANSWER, JSON.stringify(value));

async function ask() {
  const input = { query: 'opening_hours of the shop', limit: 3 };
  const result = await lm.invokeTool('sightline_search', { input, toolInvocationToken: undefined });
  write(result.content.map((part) => part.value).join(''));
}

exports.activate = (context) => {
  context.subscriptions.push(
    commands.registerCommand('agent.ask', () => ask().catch((error) => write(`failed: ${error}`))),
    commands.registerCommand('agent.tools', () => write(lm.tools.map((tool) => tool.name))),
  );
};
