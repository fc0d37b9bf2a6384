/** Matches texts that contain `part`, in any case. */
export const containing = (part: string): RegExp => new RegExp(part.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'), 'i');
