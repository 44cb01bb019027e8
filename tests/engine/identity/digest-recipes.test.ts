import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { canonicalJsonBytes } from '../../../engine/identity/canonical-json.ts';
import {
  agentCaptureDigest,
  compositionDigest,
  controlDigest,
  legacyDatasetDigest,
  legacyIndexDigest,
  operationBodyDigest,
  operationKey,
  payloadSchemaDigest,
  syntheticSchemaDigest,
  typedValueDigest,
} from '../../../engine/identity/digest-recipes.ts';
import { canonicalDigest, sha256Hex } from '../../../engine/identity/digest.ts';
import { COMPATIBILITY_V8, DECLARATION, FINGERPRINT, PROFILE } from './legacy-documents.ts';

const BUTTONS = ['up', 'down', 'left', 'right', 'a', 'b', 'start', 'select'];

test('PRO-02 the legacy profile document has 1,137 bytes and the published digest (session.md 3.1)', () => {
  expect(canonicalJsonBytes(PROFILE).byteLength).toBe(1_137);
  expect(canonicalDigest(PROFILE)).toBe('41e5d1ac62ab23f1b2d7252d52faac08b269c85e6b4c9ed7a370c74032c60878');
});

test('PRO-02 the example declaration has the published digest (session.md 3.2)', () => {
  expect(COMPATIBILITY_V8).toHaveLength(647);
  expect(canonicalDigest(DECLARATION)).toBe('d37ccb40162ecb42172609623d53791804571fee1b66a1f4ab8183a9a68852ea');
});

test('PRO-02 the operation key of Agent.Prepare on fly-a is the published one (session.md 28)', () => {
  expect(operationKey({ sessionId: 'demo', epoch: 'epoch-1', step: '41' }, 'Agent.Prepare', 'fly-a')).toBe(
    'eda73d62bb5d616052997ab5e9d2c4ba5872fdefb44cf706910a18a24d39225f',
  );
});

test('PRO-02 the operation body of Worker.Hello is the published one (session.md 28)', () => {
  const params = { sessionId: 'demo', expectedWorkerId: 'fly-a', role: 'agent', supportedMajors: [1] };
  expect(operationBodyDigest('Worker.Hello', null, params)).toBe(
    '0c07677a45178d8680dddbeec56d4e09f6ccbfe5fe77d9d4ff2fb07b369febaf',
  );
});

test('a neutral joypad batch has the digest the specification computed (session.md 28)', () => {
  expect(controlDigest([{ portId: 'p1', buttons: BUTTONS.map((id) => ({ id, down: false })), axes: [] }])).toBe(
    'ba7e938e0d58a6a0f090c474d458d7a0c2a80c83ef5dcacc05318bf6c0d7101d',
  );
});

test.each([
  { adapter: 'v6', digest: '4929f340' },
  { adapter: 'v5', digest: '0d9bfde7' },
])(
  'the $adapter compatibility string and its line feed hash to the quoted $digest (brain.md 9.5)',
  ({ adapter, digest }) => {
    const text = COMPATIBILITY_V8.replace('unique8-v8', `unique8-${adapter}`);
    expect(sha256Hex(`${text}\n`).slice(0, 8)).toBe(digest);
  },
);

test.each(['callId', 'deliveryIds', 'subscriptionId', 'requestDeliveryId'])(
  'an operation body with the transport key %s at any depth is refused (session.md 2.4)',
  (key) => {
    const params = { list: [{ deep: { [key]: 1 } }] };
    expect(() => operationBodyDigest('Agent.Prepare', null, params)).toThrow(
      expect.objectContaining({ code: 'OPERATION_BODY' }),
    );
  },
);

// The recipes below have no published value. Their texts are spelled out from session.md 2.4 and hashed apart.

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
const D = (digit: string): string => digit.repeat(64);

test('the composition digest hashes lines that all end in LF, the declaration last and only if there is one (session.md 2.4)', () => {
  const composition = {
    sessionId: 'demo',
    epoch: 'e1',
    contractDigest: D('1'),
    agents: [
      { agentId: 'fly-a', portId: 'p1', profileDigest: D('a') },
      { agentId: 'fly-b', portId: 'p2', profileDigest: D('b') },
    ],
    declaration: null,
  };
  const lines =
    `fly-session/composition-v1\nsession=demo\nepoch=e1\ncontract=${D('1')}\n` +
    `agent=fly-a port=p1 profile=${D('a')}\nagent=fly-b port=p2 profile=${D('b')}\n`;
  expect(compositionDigest(composition)).toBe(sha(lines));
  expect(compositionDigest({ ...composition, declaration: { id: 'x' } })).toBe(
    sha(`${lines}declaration=${sha('{"id":"x"}')}\n`),
  );
  expect(compositionDigest({ ...composition, epoch: 'e2' })).not.toBe(compositionDigest(composition));
});

test('a payload schema is the canonical JSON of its registry entry (session.md 2.4)', () => {
  const field = { name: 'boot', kind: 'bool', required: true, constraint: '' };
  expect(payloadSchemaDigest('x-v1', 1, 'ours', [field])).toBe(
    sha(
      '{"fields":[{"constraint":"","kind":"bool","name":"boot","required":true}],"id":"x-v1",' +
        '"registry":"fly-session-payload-schema-v1","source":"ours","version":1}',
    ),
  );
  expect(syntheticSchemaDigest('counter', 2)).toBe(sha('fly-session-schema-v1\ncounter\n2\n'));
});

test('a typed value includes its schema (session.md 2.4)', () => {
  const schema = { id: 's', version: 1, digest: D('0') };
  expect(typedValueDigest({ schema, value: { a: 1 } })).toBe(
    sha(`{"schema":{"digest":"${D('0')}","id":"s","version":1},"value":{"a":1}}`),
  );
});

test('an agent capture names the seed; with or without the index it is another digest (session.md 2.4)', () => {
  const old = {
    agentId: 'fly-a',
    profileDigest: D('1'),
    datasetDigest: D('2'),
    modelVersion: 'lif-1ms-f64-v2',
    plasticityVersion: 'fly-kc-mbon-rstdp-v2',
    seed: -5,
  };
  expect(agentCaptureDigest(old)).toBe(
    sha(
      `{"agentId":"fly-a","datasetDigest":"${D('2')}","modelVersion":"lif-1ms-f64-v2",` +
        `"plasticityVersion":"fly-kc-mbon-rstdp-v2","profileDigest":"${D('1')}","seed":-5}`,
    ),
  );
  expect(agentCaptureDigest({ ...old, indexDigest: D('3') })).not.toBe(agentCaptureDigest(old));
});

test('dataset and index digests read the fingerprint and the macro roles in role order (session.md 2.4)', () => {
  expect(legacyDatasetDigest(FINGERPRINT)).toBe(sha(FINGERPRINT));
  const roles = new Map([
    ['macro_talk', Uint32Array.of(3, 1)],
    ['macro_menu', Uint32Array.of()],
  ]);
  expect(legacyIndexDigest('fp', 4, roles)).toBe(
    sha('fly-session/legacy-agent-index-v1\nfingerprint=fp\nneurons=4\nrole=macro_talk:3,1\nrole=macro_menu:\n'),
  );
});
