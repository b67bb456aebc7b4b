export interface Place {
  latitude: number;
  longitude: number;
  /** Metres. */
  accuracy: number;
}

export type PlaceFault = 'denied' | 'unavailable';

/** Asks the browser where the device is; zeros count as unavailable (section 5). */
export function askPlace(): Promise<Place | PlaceFault> {
  return new Promise((resolve) => {
    if (!('geolocation' in navigator)) return resolve('unavailable');
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        const { latitude, longitude, accuracy } = coords;
        resolve(latitude === 0 || longitude === 0 || accuracy === 0 ? 'unavailable' : { latitude, longitude, accuracy });
      },
      (error) => resolve(error.code === error.PERMISSION_DENIED ? 'denied' : 'unavailable'),
      { enableHighAccuracy: true, timeout: 20_000, maximumAge: 60_000 },
    );
  });
}
