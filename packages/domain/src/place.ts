/** Where a device was: degrees and metres. */
export interface DevicePlace {
  latitude: number;
  longitude: number;
  accuracy: number;
}

/** The place, or null for what is none: out of range, or the zeros that a browser without a position sends (section 5). */
export function devicePlace(told: { latitude: number | null; longitude: number | null; accuracy: number | null }): DevicePlace | null {
  const { latitude, longitude, accuracy } = told;
  if (!isMeasured(latitude) || !isMeasured(longitude) || !isMeasured(accuracy)) return null;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && accuracy > 0 ? { latitude, longitude, accuracy } : null;
}

function isMeasured(value: number | null): value is number {
  return value !== null && Number.isFinite(value) && value !== 0;
}
