import { expect, test } from 'vitest';
import { maskRtmpUrl, parseRtmpUrl } from '../../../broadcast/outputs/rtmp-url.ts';

test('an ingest address is taken apart and printed without its key (broadcast.md 76, 81)', () => {
  expect(parseRtmpUrl('rtmp://live.example/app/live_1_abc?bandwidthtest=true')).toEqual({
    host: 'live.example',
    port: 1_935,
    secure: false,
    path: '/app/live_1_abc?bandwidthtest=true',
    tcUrl: 'rtmp://live.example/app',
    masked: 'rtmp://live.example/app/<key>',
  });
  expect(parseRtmpUrl('rtmps://live.example:8443/a/b/key')).toMatchObject({
    port: 8_443,
    masked: 'rtmps://live.example:8443/a/b/<key>',
  });
  expect(parseRtmpUrl('rtmps://live.example/app/key')).toMatchObject({ port: 443, secure: true });
  expect(parseRtmpUrl('rtmp://[::1]:1936/live/key')).toMatchObject({ host: '::1', port: 1_936 });
});

test.each([
  'http://live.example/app/secretkey',
  'rtmp://user:pass@live.example/app/secretkey',
  'rtmp://live.example/secretkey',
  'rtmp://live.example/app/',
  'rtmp://live.example:99999/app/secretkey',
  'rtmp:///app/secretkey',
  'secretkey',
])('%s is refused without printing what may be a key', (text) => {
  let message = '';
  try {
    parseRtmpUrl(text);
  } catch (error) {
    expect(error).toMatchObject({ code: 'RTMP_URL' });
    message = String(error);
  }
  expect(message).not.toBe('');
  expect(message).not.toContain('secretkey');
});

test('a key is masked wherever it stands, with and without its query', () => {
  const target = parseRtmpUrl('rtmp://h/app/abc123?x=1');
  expect(maskRtmpUrl('could not open rtmp://127.0.0.1:5/app/abc123?x=1 (abc123)', target)).toBe(
    'could not open rtmp://127.0.0.1:5/app/<key> (<key>)',
  );
});
