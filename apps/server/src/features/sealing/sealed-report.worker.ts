import { memorySource, openPdf } from '@lavra/pades';
import { drawEvidenceReport, type EvidenceReport } from '../../paper/evidence-report.worker.ts';
import { type SealOrder, sealOpened, type SealServices } from '../documents/stored-pdf.worker.ts';

/** Drawn and sealed where it is drawn: it goes to the main program once, as it will be stored. */
export async function drawSealedReport(
  { report, order }: { report: EvidenceReport; order: SealOrder },
  services: SealServices,
): Promise<Uint8Array> {
  const drawn = await drawEvidenceReport(report);
  const { seal } = await sealOpened(await openPdf(memorySource(drawn)), order, services);
  return Buffer.concat([drawn, seal.bytes]);
}
