/** The alert starts when this part of a plan's signatures is used. */
const ALERT_FROM = 0.8;

/** Whether a plan's signature quota is near or over; without a quota (null) nothing can be. */
export function isUsageNearLimit(currentSignatures: number, planSignatures: number | null): boolean {
  return planSignatures !== null && currentSignatures >= planSignatures * ALERT_FROM;
}
