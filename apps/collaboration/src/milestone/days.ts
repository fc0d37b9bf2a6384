import { invalidRecord } from '@moothall/contracts';

/** Dates as YYYY-MM-DD, which compare as strings. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** @throws common.invalid_record */
export function requireOrder({ startDate, dueDate }: { startDate: string | null; dueDate: string | null }): void {
  if (startDate && dueDate && dueDate < startDate)
    throw invalidRecord({ due_date: ['must be greater than start date'] });
}

interface Updated {
  updated_before?: string | undefined;
  updated_after?: string | undefined;
}

/** Bounds are inclusive. */
export function filterUpdated({ updated_before, updated_after }: Updated): { updatedAt?: object } {
  const updatedAt = {
    ...(updated_after && { $gte: new Date(updated_after) }),
    ...(updated_before && { $lte: new Date(updated_before) }),
  };
  return Object.keys(updatedAt).length > 0 ? { updatedAt } : {};
}
