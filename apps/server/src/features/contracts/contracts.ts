import { findAccount, isProvenAddress, listAccounts } from '../accounts/find-account.ts';
import { contractRoomOf } from '../plans/contract-room.ts';

/** Contracts of the people who have accounts here. */
export const contractRoom = contractRoomOf({
  async loginsOf(ctx, userIds) {
    const accounts = await listAccounts(ctx, userIds);
    return new Map(accounts.map(({ id, email }) => [id, email]));
  },
  async isConfirmed(ctx, userId) {
    const account = await findAccount(ctx, userId);
    return account && isProvenAddress(ctx, account.email);
  },
});
