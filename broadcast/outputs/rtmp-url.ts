import { ConfigError } from '../../engine/errors.ts';
import type { RelayTarget } from '../relay/relay.ts';

export type RtmpTarget = RelayTarget & {
  /** `/app/key?query`: secret. */
  readonly path: string;
  /** The address without the key, as an RTMP connect command states it. */
  readonly tcUrl: string;
  /** Safe to print: `rtmp://host/app/<key>`. */
  readonly masked: string;
};

/**
 * Reads an ingest address. The last path segment with its query is the stream key.
 * @throws ConfigError RTMP_URL; the message never holds the key
 */
export function parseRtmpUrl(text: string): RtmpTarget {
  const match = /^(rtmps?):\/\/([^/?#@\s]+)(\/[^\s#]+)$/i.exec(text);
  if (match === null) {
    throw new ConfigError(
      'RTMP_URL',
      'an uplink address is not rtmp://host/app/key or rtmps://host/app/key; correct it.',
    );
  }
  const secure = match[1]!.toLowerCase() === 'rtmps';
  const scheme = secure ? 'rtmps' : 'rtmp';
  const authority = match[2]!;
  const path = match[3]!;
  const split = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/i.exec(authority);
  const port = split?.[3] === undefined ? (secure ? 443 : 1935) : Number(split[3]);
  if (split === null || port < 1 || port > 65_535) {
    throw new ConfigError('RTMP_URL', `the uplink host "${authority}" is not a host or host:port; correct it.`);
  }
  const beforeQuery = path.split('?', 1)[0]!;
  const app = beforeQuery.slice(0, beforeQuery.lastIndexOf('/'));
  if (app === '' || beforeQuery.endsWith('/')) {
    throw new ConfigError(
      'RTMP_URL',
      `the uplink address at ${authority} has no stream key; write rtmp://host/app/key.`,
    );
  }
  return {
    host: split[1] ?? split[2]!,
    port,
    secure,
    path,
    tcUrl: `${scheme}://${authority}${app}`,
    masked: `${scheme}://${authority}${app}/<key>`,
  };
}

/** `text` with the key of `target` replaced wherever it stands. */
export function maskRtmpUrl(text: string, target: RtmpTarget): string {
  const key = target.path.slice(target.path.split('?', 1)[0]!.lastIndexOf('/') + 1);
  const bare = key.split('?', 1)[0]!;
  return text.replaceAll(key, '<key>').replaceAll(bare, '<key>');
}
