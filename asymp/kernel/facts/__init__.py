"""What is seen of terms on a domain: values, signs, where they are defined."""
