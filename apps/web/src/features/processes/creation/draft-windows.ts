/** A draft may stand open in several windows of one browser. What one keeps or ends the others hear of, or each would undo what another did. */
interface Told {
  readonly id: string;
  /** It was sent or discarded. */
  readonly isGone: boolean;
}

const channel = new BroadcastChannel('lavra-drafts');

export function tellOtherWindows(told: Told): void {
  channel.postMessage(told);
}

export function onToldByWindow(act: (told: Told) => void): void {
  channel.addEventListener('message', ({ data }: MessageEvent<Told>) => act(data));
}
