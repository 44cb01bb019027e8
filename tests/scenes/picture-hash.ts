import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { createStage } from '../../scenes/stage.ts';
import { CHAT, HISTORY, fakeDescriptor, fakeEvent, fakeGeometry, fakeSnapshot, feed, openReplica } from './fixture.ts';

/** SHA-256 over frames of one fixed replica sequence at 720p. Run as a program it prints the hash. */
export async function pictureHash(): Promise<string> {
  const stage = await createStage({ widthPx: 1_280, heightPx: 720 });
  const geometry = fakeGeometry();
  stage.setGeometry(0, geometry);
  const replica = openReplica(fakeDescriptor({ chat: true }));
  const hash = createHash('sha256');
  for (let frame = 0; frame < 24; frame++) {
    const events = frame === 0 ? HISTORY : frame === 12 ? [fakeEvent(50, { tier: 'moment', value: 0.5 })] : [];
    feed(replica, fakeSnapshot(frame * 2 + 1, { events, chat: CHAT }), frame * 33, geometry);
    hash.update(stage.render(replica, frame * 33));
  }
  stage.close();
  return hash.digest('hex');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.stdout.write(await pictureHash());
}
