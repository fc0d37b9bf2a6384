import { present } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { Courier } from './courier';

/** The couriers of this process, by the kind of their lines. */
@Injectable()
export class Couriers {
  private readonly known = new Map<string, Courier>();

  add(courier: Courier): void {
    this.known.set(courier.kind, courier);
  }

  /** The courier of a line, and the id of its subscriber. @throws for a kind that nobody brings */
  of(line: string): { courier: Courier; id: number } {
    const end = line.lastIndexOf('-');
    return {
      courier: present(this.known.get(line.slice(0, end)), `the courier of ${line}`),
      id: Number(line.slice(end + 1)),
    };
  }
}
