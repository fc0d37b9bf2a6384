import { commonErrors, forbidden, type Operation } from '@moothall/contracts';

/** @throws not found or forbidden for operations that the edition does not have */
export function requireTier({ tier, withoutTier }: Operation, edition: 'community' | 'enterprise'): void {
  if (tier === 'enterprise' && edition === 'community') {
    throw withoutTier === 'forbidden' ? forbidden() : commonErrors.noRoute();
  }
}
