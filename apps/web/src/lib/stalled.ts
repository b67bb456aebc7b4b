import { limits } from '@lavra/domain';

/** Watches something that moves by pieces: it may take as long as it needs, but not stand still. */
export interface StallWatch {
  /** Something came, or went: the time begins anew. */
  moved(): void;
  /** Nothing is waited for any more. */
  end(): void;
}

/** Calls once when nothing has moved for the time of a request, counted from the last byte: a slow line is no broken one. */
export function watchStall(onStalled: () => void, ms: number = limits.requestTimeoutMs): StallWatch {
  let timer = setTimeout(onStalled, ms);
  return {
    moved() {
      clearTimeout(timer);
      timer = setTimeout(onStalled, ms);
    },
    end: () => clearTimeout(timer),
  };
}

/** The whole body of an answer, each piece of it told. */
export async function readWhole(answer: Response, moved: () => void): Promise<Blob> {
  const told = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      moved();
      controller.enqueue(piece);
    },
  });
  const type = answer.headers.get('Content-Type') ?? '';
  if (!answer.body) return new Blob([], { type });
  return new Blob([await new Response(answer.body.pipeThrough(told)).blob()], { type });
}
