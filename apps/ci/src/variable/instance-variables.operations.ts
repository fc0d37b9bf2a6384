import {
  createInstanceVariable,
  deleteInstanceVariable,
  getInstanceVariable,
  type InstanceVariable,
  listInstanceVariables,
  updateInstanceVariable,
} from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { VariableOperations, VariableTools } from './variable-operations';

@HandlesEach({
  list: listInstanceVariables,
  get: getInstanceVariable,
  create: createInstanceVariable,
  update: updateInstanceVariable,
  delete: deleteInstanceVariable,
})
@Controller()
export class InstanceVariableOperations extends VariableOperations<InstanceVariable> {
  constructor(tools: VariableTools) {
    super(tools);
  }
}
