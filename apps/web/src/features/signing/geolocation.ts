import { type DevicePlace, devicePlace } from '@lavra/domain';

/** 'unsupported': the browser has no such thing, or the page came over an insecure address. */
export type PlaceFault = 'denied' | 'unavailable' | 'unsupported';

/** Asks the browser where the device is; zeros count as unavailable (section 5). */
export function askPlace(): Promise<DevicePlace | PlaceFault> {
  return new Promise((resolve) => {
    if (!('geolocation' in navigator) || !window.isSecureContext) return resolve('unsupported');
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        const { latitude, longitude, accuracy } = coords;
        resolve(devicePlace({ latitude, longitude, accuracy }) ?? 'unavailable');
      },
      (error) => resolve(error.code === error.PERMISSION_DENIED ? 'denied' : 'unavailable'),
      // The place of this moment, never an older one: it is evidence, and a second try must be able to differ.
      { enableHighAccuracy: true, timeout: 20_000, maximumAge: 0 },
    );
  });
}

export type BrowserFamily = 'ios' | 'android' | 'firefox' | 'safari' | 'chromium';

/** Whose steps to describe when the place was denied. Every browser of an iPhone asks the system. */
export function browserFamily(userAgent: string): BrowserFamily {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  if (/Android/.test(userAgent)) return 'android';
  if (/Firefox\//.test(userAgent)) return 'firefox';
  if (/Safari\//.test(userAgent) && !/Chrom(e|ium)\//.test(userAgent)) return 'safari';
  return 'chromium';
}
