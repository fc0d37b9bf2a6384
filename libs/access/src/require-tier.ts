import { commonErrors, forbidden, type Operation } from '@moothall/contracts';

/** `community` has no operations that the v4 interface restricts to higher tiers. */
export type Edition = 'community' | 'enterprise';

/** @throws not found or forbidden for operations that the edition does not have */
export function requireTier({ tier, withoutTier }: Operation, edition: Edition): void {
  if (tier === 'enterprise' && edition === 'community') {
    throw withoutTier === 'forbidden' ? forbidden() : commonErrors.noRoute();
  }
}
