// Records a fixed set of runs of the AI SDK: `npm install ai@6 zod`, then `node record_vercel_ai.mjs <where to>`.
// Writes `<version>.json`: from the name of a scenario to its model messages, its steps, its result, and the UI message
// that a client puts together, with a mock in place of the model.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { generateText, readUIMessageStream, simulateReadableStream, stepCountIs, streamText, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { z } from "zod";

const version = JSON.parse(readFileSync(new URL("node_modules/ai/package.json", `file://${process.cwd()}/`))).version;
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const NOISE = new Set([
  "usage", "totalUsage", "request", "timestamp", "warnings", "rawFinishReason", "headers", "body", "model",
  "callId", "performance", "runtimeContext", "toolsContext", "modelId",
]);

const say = (text) => ({ type: "text", text });
const call = (id, toolName, input, more = {}) => ({
  type: "tool-call", toolCallId: id, toolName, input: typeof input === "string" ? input : JSON.stringify(input), ...more,
});

const tools = {
  search: tool({ inputSchema: z.object({ q: z.string() }), execute: async ({ q }) => ({ found: q }) }),
  pay: tool({
    inputSchema: z.object({ amount: z.number() }),
    execute: async () => { throw new Error("no money"); },
  }),
  remove: tool({ inputSchema: z.object({ id: z.number() }), needsApproval: true, execute: async () => "removed" }),
  ask: tool({ inputSchema: z.object({}) }), // for the client to execute
  web: { type: "provider", id: "mock.web", name: "web", args: {}, inputSchema: z.object({ q: z.string() }) },
};

const scenarios = {
  "calls in parallel, then text": [
    [say("One moment."), call("1", "search", { q: "lamp" }), call("2", "search", { q: "table" })],
    [say("A lamp and a table.")],
  ],
  "a tool that fails": [[call("1", "pay", { amount: 3 })], [say("It failed.")]],
  "input that breaks off": [[call("1", "search", '{"q": "la')], [say("Sorry.")]],
  "input that does not fit": [[call("1", "search", { query: 1 })], [say("Sorry.")]],
  "a tool that is not there": [[call("1", "fly", { to: "Rome" })], [say("Sorry.")]],
  "a call that waits for an approval": [[call("1", "remove", { id: 7 })]],
  "a call that the client executes": [[call("1", "ask", {}), call("2", "search", { q: "lamp" })]],
  "what the provider executes": [
    [
      call("1", "web", { q: "news" }, { providerExecuted: true }),
      { type: "tool-result", toolCallId: "1", toolName: "web", result: { title: "News" } },
      say("There is news."),
    ],
  ],
};

const reason = (content) => ({ unified: content.some((part) => part.type === "tool-call") ? "tool-calls" : "stop" });

function model(responses) {
  let at = 0;
  const next = () => responses[at++];
  return new MockLanguageModelV3({
    doGenerate: async () => {
      const content = next();
      return { content, finishReason: reason(content), usage, warnings: [] };
    },
    doStream: async () => {
      const content = next();
      const chunks = [
        { type: "stream-start", warnings: [] },
        ...content.flatMap((part, n) => part.type !== "text" ? [part] : [
          { type: "text-start", id: `t${n}` },
          { type: "text-delta", id: `t${n}`, delta: part.text },
          { type: "text-end", id: `t${n}` },
        ]),
        { type: "finish", finishReason: reason(content), usage },
      ];
      return { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) };
    },
  });
}

const plain = (value) => JSON.parse(JSON.stringify(value, (key, inner) => {
  if (inner instanceof Error) return { name: inner.name, message: inner.message };
  return NOISE.has(key) ? undefined : inner;
}));

const recorded = {};
for (const [name, responses] of Object.entries(scenarios)) {
  const options = () => ({ model: model(responses), tools, prompt: "Help me.", stopWhen: stepCountIs(5), maxRetries: 0 });
  const result = await generateText(options());
  let ui;
  const streamed = streamText({ ...options(), onError: () => {} });
  for await (const message of readUIMessageStream({ stream: streamed.toUIMessageStream() })) ui = message;
  recorded[name] = plain({ messages: result.responseMessages ?? result.response.messages, steps: result.steps, result, ui });
}
const folder = process.argv[2] ?? ".";
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/${version}.json`, `${JSON.stringify(recorded, null, 1)}\n`);
