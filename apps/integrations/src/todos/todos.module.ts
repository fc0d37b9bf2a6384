import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { FollowActs } from './follow-acts';
import { FollowPipelines } from './follow-pipelines';
import { MakeTodos } from './make-todos';
import { TodoOperations } from './todo.operations';
import { Todos } from './todo.repository';
import { todoSchema } from './todo.schema';
import { TodoViews } from './todo-views';

/** To-dos. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'Todo', schema: todoSchema }])],
  controllers: [TodoOperations],
  providers: [FollowActs, FollowPipelines, MakeTodos, Todos, TodoViews],
})
export class TodosModule {}
