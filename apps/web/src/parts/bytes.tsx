const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** The size of a file: `512 bytes`, `1.2 MB`. */
export const Bytes = ({ count }: { count: number }) => {
  const unit = count < 1000 ? 0 : Math.min(Math.floor(Math.log10(count) / 3), units.length - 1);
  const amount = count / 1000 ** unit;
  return (
    <span>
      {unit === 0 ? count : amount.toLocaleString('en', { maximumFractionDigits: 1 })} {units[unit]}
    </span>
  );
};
