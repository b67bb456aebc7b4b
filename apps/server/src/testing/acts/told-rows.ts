import type { TrueEvent, TrueProcess, TrueSigner, Truth } from './truth.ts';

const DAY_MS = 86_400_000;

type ToldProcess = Pick<TrueProcess, 'status' | 'started_at' | 'prepared_at' | 'finalized_at' | 'files_removed_at'>;
type ToldSigner = Pick<
  TrueSigner,
  'status' | 'invited_at' | 'opened_at' | 'finalized_at' | 'reject_cause' | 'reminders_sent' | 'told_again_at'
> & { name?: string; email?: string };

const ends: Readonly<Record<string, string>> = {
  'process.finalized': 'FINALIZED_WITH_SUCCESS',
  'signer.rejected': 'FINALIZED_BY_REJECTION',
  'process.expired': 'FINALIZED_BY_EXPIRATION',
  'process.canceled': 'CREATOR_CANCELED',
};

/** In what the rows of processes, signers and signatures differ from what their events tell, read here by none of the product's rules. */
export function rowFaults({ processes, signers, signatures, events }: Truth): string[] {
  const eventsOf = Map.groupBy(events, (event) => event.signature_process_id);
  const signersOf = Map.groupBy(signers, (signer) => signer.signature_process_id);
  const signaturesOf = Map.groupBy(signatures, (signature) => signature.signer_id);
  return processes.flatMap((process) => {
    const log = eventsOf.get(process.id) ?? [];
    const told = processTold(log);
    const own = signersOf.get(process.id) ?? [];
    return [
      ...differences(`process ${process.id} (${process.title})`, process, told),
      ...own.flatMap((signer) => {
        const is = signerTold(signer.id, process, log);
        const isClosed = is.status === 'SIGNED' || is.status === 'REJECTED';
        const signature = isClosed
          ? { status: is.status, finalized_at: is.finalized_at, reject_cause: is.reject_cause }
          : { status: 'SENT', finalized_at: null, reject_cause: null };
        return [
          ...differences(`signer ${signer.id} of ${process.id}`, signer, is),
          ...(signaturesOf.get(signer.id) ?? []).flatMap((one) => differences(`signature ${one.id} of ${process.id}`, one, signature)),
        ];
      }),
    ];
  });
}

function differences(what: string, row: object, told: object): string[] {
  const held = row as Record<string, unknown>;
  return Object.entries(told).flatMap(([field, value]) => {
    const is = plain(field, held[field]);
    const should = plain(field, value);
    return is === should ? [] : [`${what}: ${field} is ${is}, its events tell ${should}`];
  });
}

const plain = (field: string, value: unknown) =>
  typeof value === 'string' && field.endsWith('_at') ? new Date(value).toISOString() : String(value);

function processTold(log: readonly TrueEvent[]): ToldProcess {
  const told: ToldProcess = { status: 'DRAFT', started_at: null, prepared_at: null, finalized_at: null, files_removed_at: null };
  for (const { type, at } of log) {
    if (type === 'process.started') Object.assign(told, { status: 'IN_PROGRESS', started_at: at });
    if (type === 'document.prepared') told.prepared_at = at;
    if (type === 'files.removed') told.files_removed_at = at;
    if (ends[type] !== undefined) Object.assign(told, { status: ends[type], finalized_at: at });
  }
  return told;
}

function signerTold(id: string, { reminder_in: every }: TrueProcess, log: readonly TrueEvent[]): ToldSigner {
  const fresh = { status: 'WAITING', invited_at: null, opened_at: null, reminders_sent: 0, told_again_at: null };
  const told: ToldSigner = { ...fresh, finalized_at: null, reject_cause: null };
  for (const { type, at, data, signer_id: signerId } of log) {
    if (signerId !== id) continue;
    if (type === 'signer.invited') Object.assign(told, { status: 'SENT', invited_at: at });
    if (type === 'signer.opened') told.opened_at = at;
    if (type === 'signer.invitedAgain' || type === 'signer.nudged') told.told_again_at = at;
    if (type === 'signer.corrected') Object.assign(told, fresh, { name: data['name'] }, 'email' in data ? { email: data['email'] } : {});
    if (type === 'signer.signed') Object.assign(told, { status: 'SIGNED', finalized_at: data['signedAt'] });
    if (type === 'signer.rejected') Object.assign(told, { status: 'REJECTED', finalized_at: at, reject_cause: data['cause'] });
    if (type === 'signer.reminded') {
      const passed = Math.floor((Date.parse(at) - Date.parse(told.invited_at ?? at)) / ((every ?? 1) * DAY_MS));
      told.reminders_sent = Math.max(told.reminders_sent + 1, passed);
    }
  }
  return told;
}
