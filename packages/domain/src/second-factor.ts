/** Whose accounts an installation wants a second factor of. */
export const secondFactorDemands = ['nobody', 'administrators', 'everybody'] as const;
export type SecondFactorDemand = (typeof secondFactorDemands)[number];

/** True where an account with these authorities may not be entered with one factor alone. */
export function needsSecondFactor(demand: SecondFactorDemand, authorities: readonly string[]): boolean {
  return demand === 'everybody' || (demand === 'administrators' && authorities.includes('ROLE_ADMIN'));
}

/** How long a sign-in waits for its second step: an app may have to be installed first. */
export const secondStepMinutes = 10;
/** Wrong codes that a sign-in takes before it begins anew. */
export const secondStepFailures = 5;
