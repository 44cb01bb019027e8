import { maskRtmpUrl, parseRtmpUrl } from '../../broadcast/outputs/rtmp-url.ts';
import type { Config, Secrets } from '../../config/schema.ts';
import type { LiveOptions } from './live-options.ts';

export type Uplink = { readonly name: string; readonly url: string };

/**
 * Everything this run pushes to. A stream key puts Twitch on the list: whoever starts `fly live` with one goes live.
 * @throws ConfigError RTMP_URL for an address that cannot be one
 */
export function collectUplinks(options: LiveOptions, config: Config, secrets: Secrets): Uplink[] {
  const uplinks: Uplink[] = options.rtmp.map((url, index) => ({
    name: options.rtmp.length > 1 ? `rtmp-${index + 1}` : 'rtmp',
    url,
  }));
  if (!options.local) {
    uplinks.push(...config.uplinks);
    if (secrets.twitch_stream_key !== undefined) {
      const test = config.twitch.bandwidth_test ? '?bandwidthtest=true' : '';
      uplinks.push({ name: 'twitch', url: `${config.twitch.ingest}/${secrets.twitch_stream_key}${test}` });
    }
  }
  for (const { url } of uplinks) parseRtmpUrl(url);
  return uplinks;
}

/** Safe to print. */
export function describeUplink({ name, url }: Uplink): string {
  return `${name} ${maskRtmpUrl(url, parseRtmpUrl(url))}`;
}
