import { commonErrors, forbidden, type Operation } from '@moothall/contracts';

/** @throws as if it were not there, or without the right, for what the edition leaves out */
export function requireTier({ tier, withoutTier }: Operation, edition: 'community' | 'enterprise'): void {
  if (tier === 'enterprise' && edition === 'community') {
    throw withoutTier === 'forbidden' ? forbidden() : commonErrors.noRoute();
  }
}
