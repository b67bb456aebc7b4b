import type { Modality } from '@lavra/domain';
import { sql } from 'kysely';
import type { Ctx } from '../../../context.ts';

/** A signature as the events of its process tell it. */
export interface ToldSignature {
  id: string;
  signatureProcessId: string;
  modality: Modality;
  /** Made; to be made yet; never to be, for the process has ended. */
  state: 'used' | 'reserved' | 'released';
}

/** Every signature of these processes, by their events alone. */
export async function listToldSignatures(ctx: Ctx, processIds: readonly string[]): Promise<ToldSignature[]> {
  const { rows } = await sql<ToldSignature>`
    with told as (
      select e.signature_process_id, e.type, e.signer_id, d ->> 'id' as document_id
      from event e left join lateral jsonb_array_elements(e.data -> 'documents') d on e.type = 'signer.signed'
      where e.signature_process_id = any(${processIds}::uuid[])
        and e.type in ('signer.signed', 'signer.rejected', 'process.canceled', 'process.expired', 'process.finalized')
    )
    select s.id, p.id as "signatureProcessId", p.modality, case
      when exists (select from told where type = 'signer.signed' and signer_id = s.signer_id and document_id = s.document_id::text) then 'used'
      when exists (select from told where type <> 'signer.signed' and signature_process_id = p.id) then 'released'
      else 'reserved' end as state
    from signature s join signature_process p on p.id = s.signature_process_id
    where p.id = any(${processIds}::uuid[]) and p.status <> 'DRAFT'`.execute(ctx.db);
  return rows;
}
