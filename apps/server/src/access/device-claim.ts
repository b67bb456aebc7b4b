/**
 * Refresh token with rotation: a browser's proof that it is the one it was, an id and how many times its secret was renewed,
 * under a MAC. Pages cannot read it and other sites cannot send it. The table `device` says which generation counts.
 */
export interface DeviceClaim {
  id: string;
  generation: number;
}
