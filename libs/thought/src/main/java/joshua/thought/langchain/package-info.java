/** Adapters to language models, using LangChain4j; loaded only if a provider is configured. */
package joshua.thought.langchain;
