import { expect, test } from 'vitest';
import { refuseForeignRequest } from '../../../broadcast/control/request-guard.ts';

test.each(['127.0.0.1:7401', 'localhost:7401', 'LOCALHOST', '[::1]:7401', '127.0.0.1'])(
  'Host %s is this machine',
  (host) => {
    expect(refuseForeignRequest({ host })).toBeNull();
  },
);

test.each([
  undefined,
  '',
  'evil.example:7401',
  '127.0.0.1.evil.example',
  'localhost.evil.example:7401',
  '192.168.1.20:7401',
  '0.0.0.0:7401',
  'evil.example@127.0.0.1',
  '127.0.0.1:7401:80',
])('Host %s is refused, whatever it resolves to', (host) => {
  expect(refuseForeignRequest({ host })).toContain('is not this machine');
});

test('a browser page of the console itself is let in, a tool without an origin too', () => {
  expect(refuseForeignRequest({ host: 'localhost:7401', origin: 'http://localhost:7401' })).toBeNull();
  expect(refuseForeignRequest({ host: 'localhost:7401' })).toBeNull();
});

test.each(['https://evil.example', 'http://localhost:3000', 'https://localhost:7401', 'null', ''])(
  'Origin %s is refused',
  (origin) => {
    expect(refuseForeignRequest({ host: 'localhost:7401', origin })).toContain('is not this console');
  },
);

test('a refusal stays short and printable however long the header was', () => {
  const refusal = refuseForeignRequest({ host: `${'a'.repeat(9_000)}\u0007` });
  expect(refusal!.length).toBeLessThan(200);
});
